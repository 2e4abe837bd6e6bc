"""What editing PDFs must be able to do, case by case, each under its number in the list."""
