// The draft of a column: made from an existing column, with its default as a text of the form, and checked. Pure.
import type { ColumnDefault, ColumnDraft } from '../../../../emulator/contract/structure-edits.ts'
import type { TableColumn } from '../../../../emulator/contract/tables.ts'

export const NEW_COLUMN: ColumnDraft = {
  name: '',
  type: 'text',
  isNullable: true,
  default: { kind: 'none' },
}

/** @param column an existing column, whose default is SQL as Postgres prints it */
export function draftOf({
  default: usual,
  is_generated: isGenerated,
  is_nullable: isNullable,
  name,
  type,
}: TableColumn): ColumnDraft {
  const value: ColumnDefault =
    usual === null || isGenerated ? { kind: 'none' } : { kind: 'expression', sql: usual }
  return { name, type, isNullable, default: value }
}

export const DEFAULT_KINDS: Readonly<Record<ColumnDefault['kind'], string>> = {
  none: 'none',
  value: 'a value',
  expression: 'an SQL expression',
}

export function textOf(value: ColumnDefault): string {
  switch (value.kind) {
    case 'none':
      return ''
    case 'value':
      return value.text
    case 'expression':
      return value.sql
  }
}

export function defaultOf(kind: ColumnDefault['kind'], text: string): ColumnDefault {
  switch (kind) {
    case 'none':
      return { kind }
    case 'value':
      return { kind, text }
    case 'expression':
      return { kind, sql: text }
  }
}

/** Whether the fields are sufficient for a statement. Postgres checks everything else. */
export function isWhole({ default: value, name, type }: ColumnDraft): boolean {
  const hasDefault = value.kind !== 'expression' || value.sql.trim() !== ''
  return name !== '' && type.trim() !== '' && hasDefault
}
