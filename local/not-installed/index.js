// Stands in for packages that others declare and nothing here loads; package.json says which, under overrides.
throw new Error('This package is not installed, since nothing needed it: CONTRIBUTING.md, "Dependencies".');
