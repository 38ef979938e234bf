"""Language models and encoders behind two small protocols."""
