"""Getting collections onto this computer and reading them: what stands behind `datasets`, which is where to import from."""
