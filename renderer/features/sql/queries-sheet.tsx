// Saved queries: `.sql` files in the folder that `tenantry dev` follows. The user can open a query in the editor, or save the
// visible tab.
import { FileCode2, FolderX, Save } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { QueryFolder } from '../../../emulator/contract/fixtures.ts'
import { saveQuery, useQueries } from '../../api/fixtures.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useAction } from '../../ui/form-action.ts'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SqlTab } from './tabs.ts'

export interface QueriesSheetProps {
  readonly tenant: string
  /** The visible tab. */
  readonly tab: SqlTab
  readonly onBring: (sql: string, name: string) => void
  readonly onClose: () => void
}

export function QueriesSheet(props: QueriesSheetProps): ReactElement {
  const query = useQueries(props.tenant)
  return (
    <Sheet
      title="Saved queries"
      label="Saved queries"
      name="sql-queries"
      width={400}
      onClose={props.onClose}
      isBare
    >
      <Loaded query={query} what="saved queries">
        {(found) => (found.folder === null ? <NoFolder /> : <Queries {...props} found={found} />)}
      </Loaded>
    </Sheet>
  )
}

function NoFolder(): ReactElement {
  return (
    <EmptyState
      icon={<FolderX />}
      title="No folder followed"
      detail="Queries are saved as files of your application. Start the emulator with tenantry dev in its folder."
    />
  )
}

function Queries(props: QueriesSheetProps & { readonly found: QueryFolder }): ReactElement {
  const { found, onBring, tab, tenant } = props
  const { folder, queries } = found
  return (
    <>
      <SaveForm key={tab.id} tenant={tenant} tab={tab} names={queries.map(({ name }) => name)} />
      {queries.length === 0 ? (
        <EmptyState
          icon={<FileCode2 />}
          title="No saved queries yet"
          detail="Save the visible tab to make it a file of your application."
        />
      ) : (
        <ul aria-label="Queries" className="min-h-0 flex-1 divide-y overflow-auto">
          {queries.map(({ name, sql }) => (
            <li key={name} className="flex flex-col gap-1 px-3 py-2 hover:bg-surface-2">
              <div className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-mono">{name}.sql</span>
                <Button size="small" onClick={() => onBring(sql, name)}>
                  Open in editor
                </Button>
              </div>
              <SqlBlock sql={sql} className="max-h-16 overflow-hidden" />
            </li>
          ))}
        </ul>
      )}
      <p className="shrink-0 border-t px-3 py-2 text-small text-ink-dim">
        <MiddleTruncate text={folder ?? ''} isMono />
      </p>
    </>
  )
}

function SaveForm(props: {
  readonly tenant: string
  readonly tab: SqlTab
  readonly names: readonly string[]
}): ReactElement {
  const { names, tab, tenant } = props
  const [name, setName] = useState(tab.name)
  const plain = name.trim()
  const isKnown = names.includes(plain)
  const isValid = QUERY_NAME.test(plain)
  const save = useAction({
    work: () => saveQuery(tenant, { name: plain, sql: tab.sql, replace: isKnown }),
    failure: 'Could not save the query',
    stale: [['fixtures']],
    done: ({ path }) => ({ title: 'Query saved', detail: path }),
  })
  return (
    <form
      className="flex items-end gap-2 border-b p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid && !save.isPending) save.mutate()
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Name of the file"
          isMono
          value={name}
          onChange={setName}
          error={isValid || plain === '' ? undefined : 'Use letters, digits, spaces, "_", "-".'}
        />
      </div>
      <Button
        type="submit"
        tone={isKnown ? 'danger' : 'plain'}
        icon={<Save />}
        isBusy={save.isPending}
        disabled={!isValid || tab.sql.trim() === ''}
      >
        {isKnown ? 'Replace file' : 'Save query'}
      </Button>
    </form>
  )
}

const QUERY_NAME = /^[\w][\w -]{0,58}$/
