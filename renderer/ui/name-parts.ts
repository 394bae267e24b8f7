// Divides names of policies, tables, columns and files into the parts between which a line may break. Pure.

/** A line may break after a separator, or before the dot of a file extension, a column or a member. */
const BOUNDARY = /(?<=[_/:,-])(?=[^_/:,\s-])|(?<=\w)(?=\.\w)/

/** Splits `notes_keep_author` into `notes_`, `keep_`, `author`. The joined parts equal the text. */
export function partsOf(text: string): readonly string[] {
  return text.split(BOUNDARY)
}
