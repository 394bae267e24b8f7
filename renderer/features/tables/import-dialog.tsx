// Previews a CSV or JSON file, then imports all its rows into a table, or none.
import { useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { ApiError } from '../../api/client.ts'
import { importRows } from '../../api/tables.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { formatOf, type ImportPreview, previewImport } from './import-preview.ts'

export interface ImportDialogProps {
  readonly isOpen: boolean
  readonly tenant: string
  readonly structure: TableStructure
  readonly onClose: () => void
}

export function ImportDialog(props: ImportDialogProps): ReactElement {
  return (
    <Dialog
      title={`Import into ${props.structure.name}`}
      isOpen={props.isOpen}
      onClose={props.onClose}
      width="wide"
    >
      <ImportForm {...props} />
    </Dialog>
  )
}

interface ReadFile {
  readonly name: string
  readonly text: string
  readonly preview: ImportPreview
}

function ImportForm({ tenant, structure, onClose }: ImportDialogProps): ReactElement {
  const queries = useQueryClient()
  const [file, setFile] = useState<ReadFile>()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    const text = await chosen.text()
    setFailure(undefined)
    setFile({
      name: chosen.name,
      text,
      preview: previewImport(text, formatOf(chosen.name, text), structure.columns),
    })
  }
  const send = async ({ text, preview }: ReadFile) => {
    setBusy(true)
    try {
      const answer = await importRows(tenant, structure.name, preview.format, text)
      for (const root of ['rows', 'explain', 'tables'])
        void queries.invalidateQueries({ queryKey: [root, tenant] })
      showToast({ title: `${countOf(answer.rows_changed, 'row')} imported`, tone: 'allowed' })
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const problems = failure instanceof ApiError ? failure.problems : []
  const isSound = file?.preview.problem === undefined && file?.preview.unknown.length === 0
  return (
    <div className="flex flex-col gap-4">
      <FileDrop onFile={(chosen) => void read(chosen)} name={file?.name} />
      {file !== undefined && <PreviewTable preview={file.preview} />}
      {problems.length > 0 ? (
        <ProblemList problems={problems} />
      ) : (
        failure !== undefined && <Failed title="Could not import the rows" error={failure} />
      )}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          tone="primary"
          disabled={!isSound}
          isBusy={isBusy}
          onClick={() => file && void send(file)}
        >
          Import {file === undefined ? 'rows' : countOf(file.preview.rows, 'row')}
        </Button>
      </div>
    </div>
  )
}

function ProblemList({ problems }: Pick<ApiError, 'problems'>): ReactElement {
  return (
    <section role="alert" className="rounded-2 border border-refused/40 bg-refused/8 px-3 py-2">
      <h3 className="font-strong text-refused">
        Nothing was imported: {countOf(problems.length, 'problem')}
      </h3>
      <ul aria-label="Problems" className="max-h-48 overflow-auto text-small">
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`} className="break-words">
            <span className="font-mono text-ink-dim">
              {[line === null ? '' : `line ${line}`, column ?? ''].filter(Boolean).join(', ')}
            </span>{' '}
            {message}
          </li>
        ))}
      </ul>
    </section>
  )
}

function FileDrop(props: {
  readonly name: string | undefined
  readonly onFile: (file: File | undefined) => void
}): ReactElement {
  const { name, onFile } = props
  return (
    <label
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onFile(event.dataTransfer.files[0])
      }}
      className="flex items-center justify-center gap-2 rounded-2 border border-dashed border-line-strong bg-surface-0 p-6 text-ink-dim focus-within:border-accent hover:border-ink-dim"
    >
      <FileUp size={16} />
      {name ?? 'Drop a CSV or JSON file here, or click to choose one'}
      <input
        type="file"
        accept=".csv,.json,text/csv,application/json"
        className="sr-only"
        aria-label="File to import"
        onChange={(event) => onFile(event.target.files?.[0])}
      />
    </label>
  )
}

/** Shows which of the file's columns the table has, and the file's first rows. */
function PreviewTable({ preview }: { readonly preview: ImportPreview }): ReactElement {
  if (preview.problem !== undefined)
    return <p className="text-refused">Could not read the file. {preview.problem}</p>
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          {formatNumber(preview.rows)} rows of {preview.format.toUpperCase()}
        </span>
        {preview.unknown.map((name) => (
          <Chip key={name} tone="refused">
            The table has no column {name}
          </Chip>
        ))}
        {preview.missing.map((name) => (
          <Chip key={name} tone="unknown">
            Column {name} needs a value
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
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file have no id
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
