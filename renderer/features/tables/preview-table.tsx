// What an import would bring: its columns against the table's, and its first rows.
import type { ReactElement } from 'react'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/format.ts'
import type { ImportPreview } from './import-preview.ts'

export function PreviewTable({ preview }: { readonly preview: ImportPreview }): ReactElement {
  if (preview.problem !== undefined)
    return <p className="text-refused">The file cannot be read. {preview.problem}</p>
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          {formatNumber(preview.rows)} rows of {preview.format.toUpperCase()}
        </span>
        {preview.unknown.map((name) => (
          <Chip key={name} tone="refused">
            {name} is no column of the table
          </Chip>
        ))}
        {preview.missing.map((name) => (
          <Chip key={name} tone="unknown">
            {name} must have a value
          </Chip>
        ))}
      </p>
      <div className="overflow-auto rounded-2 border">
        <table className="w-full border-collapse font-mono text-small">
          <thead>
            <tr>
              {preview.header.map((name) => (
                <th
                  key={name}
                  className={cx(
                    'border-b px-2 py-1 text-left font-strong',
                    preview.unknown.includes(name) && 'text-refused',
                  )}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.sample.map((cells, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file have only their place
              <tr key={line}>
                {preview.header.map((name, position) => (
                  <td key={name} className="max-w-48 truncate px-2 py-1">
                    {cells[position] ?? <i className="text-unknown">null</i>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
