// Search parameters in the address of the schema map.
import { identity, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'
import type { ShownColumns } from './map-model.ts'

export interface SchemaMapSearch {
  /** The table whose sheet is open. */
  readonly table?: string | undefined
  /** The identity whose readable rows are marked, in the format of identity-text.ts. The owner reads every row. */
  readonly as?: string | undefined
  /** The columns in each box. The boxes show key columns when the parameter is absent. */
  readonly columns?: Exclude<ShownColumns, 'keys'> | undefined
}

export const parseSchemaMapSearch: SearchReader<SchemaMapSearch> = searchReader<SchemaMapSearch>({
  table: text,
  as: identity,
  columns: oneOf(['all', 'none']),
})
