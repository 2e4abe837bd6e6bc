"""Operations on documents: the mailbox, what runs them, and what is derived from their files."""
