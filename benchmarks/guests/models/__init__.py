"""Programs that model a contact themselves: which of them pose rolling, and how far is their motion from ours?"""
