"""Reading programs in the languages of others: text in, a Program and the question asked of it out."""
