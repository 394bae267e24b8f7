// Writes the schema map as a Mermaid `erDiagram`. Pure.
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import { type MapBox, type MapKey, type SchemaMap, shortType } from './map-model.ts'

/** Contains every column, whether the map shows it or not. */
export function mermaidText({ boxes, keys }: SchemaMap): string {
  return `${['erDiagram', ...boxes.map(entityText), ...keys.map(relationText)].join('\n')}\n`
}

function entityText({ table }: MapBox): string {
  const foreign = new Set(table.foreign_keys.flatMap(({ columns }) => columns))
  const lines = table.columns.map((column) => `    ${attributeText(column, foreign)}`)
  return [`  ${quoted(table.name)} {`, ...lines, '  }'].join('\n')
}

function attributeText(column: TableColumn, foreign: ReadonlySet<string>): string {
  const marks = [column.is_key ? 'PK' : '', foreign.has(column.name) ? 'FK' : ''].filter(Boolean)
  const name = word(column.name)
  const comment = name === column.name ? '' : ` ${quoted(column.name)}`
  return `${word(shortType(column.type))} ${name}${marks.length === 0 ? '' : ` ${marks.join(', ')}`}${comment}`
}

function relationText({ parent, child, columns, isNullable, isUnique }: MapKey): string {
  const line = `${isNullable ? '|o' : '||'}--${isUnique ? 'o|' : 'o{'}`
  return `  ${quoted(parent)} ${line} ${quoted(child)} : ${quoted(columns.join(', '))}`
}

// Mermaid has no escape for a double quote inside quotes, but decodes entities.
function quoted(text: string): string {
  return `"${text.replaceAll(/["%\\]/g, (character) => `#${character.charCodeAt(0)};`)}"`
}

// A type or column name consists of letters, digits, `_`, `-`, `(`, `)`, `[` and `]`, and starts with a letter or `_`.
function word(text: string): string {
  const plain = text.replaceAll(/[^\w()[\]-]+/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
}
