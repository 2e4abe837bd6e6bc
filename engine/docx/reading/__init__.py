"""A Word document read into the tree: stories, blocks, inlines, pictures, equations."""
