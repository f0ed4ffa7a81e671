"""Pictures of what rigidlimit wrote. Reads files under results/ and never recomputes physics."""
