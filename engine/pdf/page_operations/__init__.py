"""Operations on a PDF as a whole: pages, stamps, redaction."""
