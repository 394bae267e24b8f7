// Divides names of policies, tables, columns and files into the parts between which a line may break. Pure.

/** After a separator, or before the point of a file's ending, a column or a member. */
const BOUNDARY = /(?<=[_/:,-])(?=[^_/:,\s-])|(?<=\w)(?=\.\w)/

/** `notes_keep_author` → `notes_`, `keep_`, `author`. The parts together are the text. */
export function partsOf(text: string): readonly string[] {
  return text.split(BOUNDARY)
}
