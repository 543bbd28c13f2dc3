"""The command line: one module per subcommand, imported when it is used."""
