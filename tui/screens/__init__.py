"""Dialogs and full screens that open above the main screen."""
