"""What every calculator shares: fields, checking, forms, schemas, and the view of an answer."""
