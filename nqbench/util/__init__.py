"""What every room uses: arguments, texts, files, interrupts, and how members are found."""
