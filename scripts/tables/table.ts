/** Columns, separated by spaces; `*` is a query that names none. tenant_id may always be read with them. */
type Reading = { columns: string; reason: string }

export type Table = {
  /** The only room that writes it. What is not a room is named by its folder under server/. */
  room: string
  /** What rooms below it may read. */
  read?: Reading
  /** Exceptions, which may only become fewer: other rooms that write it, and why; and rooms above it that read it. */
  alsoWrittenBy?: Readonly<Record<string, string>>
  readByEarlier?: Readonly<Record<string, Reading>>
}

export type Tables = Readonly<Record<string, Table>>
