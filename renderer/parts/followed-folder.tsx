// The result of the last save of the folder that `tenantry dev` follows.
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { FixtureList } from '../../emulator/contract/fixtures.ts'
import { rebuildFollowed, useFixtures } from '../api/fixtures.ts'
import { Button } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { formatDuration, formatNumber } from '../ui/format.ts'
import { MiddleTruncate } from '../ui/middle-truncate.tsx'
import { ProblemList } from './problem-list.tsx'
import { RowChangeList } from './row-changes.tsx'
import { VisibilityChanges } from './visibility-changes.tsx'

type Followed = NonNullable<FixtureList['followed']>

/** Shows nothing when no folder is followed. @param isQuiet shows only a save that did not apply */
export function FollowedFolder(props: { readonly isQuiet?: boolean }): ReactElement | null {
  const followed = useFixtures().data?.followed ?? undefined
  if (followed === undefined || (props.isQuiet === true && hasApplied(followed))) return null
  return (
    <section
      aria-label="Application folder"
      className="flex max-h-80 flex-col gap-3 overflow-auto border-b px-4 py-3"
    >
      <p role="status" className="flex items-center gap-2">
        {hasApplied(followed) ? (
          <CircleCheck className="size-4 shrink-0 text-allowed" />
        ) : (
          <CircleAlert className="size-4 shrink-0 text-refused" />
        )}
        <span className="shrink-0 font-strong">{headOf(followed)}</span>
        <MiddleTruncate text={followed.fixture} isMono />
      </p>
      {followed.problems.length > 0 && <ProblemList problems={followed.problems} />}
      <Losses followed={followed} />
      <RowChangeList rows={followed.rows} />
      <VisibilityChanges changes={followed.people} />
      {followed.notes.map(({ note, projects }) => (
        <p key={note} className="text-small text-ink-dim">
          {projects.join(', ')}: {note}
        </p>
      ))}
      {followed.kept.length > 0 && (
        <p className="text-small text-ink-dim">
          Tenants with the old structure: {followed.kept.join(', ')}
        </p>
      )}
    </section>
  )
}

function hasApplied({ event }: Followed): boolean {
  return event === 'applied' || event === 'rebuilt'
}

function headOf({ duration_ms: millis, event }: Followed): string {
  const time = formatDuration(millis)
  if (event === 'refused') return 'The last save was refused.'
  if (event === 'waiting') return 'Last save waits, because it would lose rows.'
  return event === 'rebuilt' ? `Rebuilt from the steps in ${time}` : `Last save applied in ${time}`
}

function Losses({ followed }: { readonly followed: Followed }): ReactElement | null {
  const rebuild = useMutation({ mutationFn: rebuildFollowed })
  const { event, losses, stuck } = followed
  if (losses.length === 0) return null
  return (
    <>
      <ul
        aria-label={event === 'waiting' ? 'Rows that would be lost' : 'Rows that were lost'}
        className="flex flex-col divide-y rounded-2 border bg-surface-0"
      >
        {losses.map(({ column, example, project, rows, table }) => (
          <li key={`${project} ${table} ${column}`} className="flex flex-col gap-1 px-3 py-2">
            <p>
              {project}: {formatNumber(rows)} {rows === 1 ? 'row' : 'rows'} of{' '}
              <code>{column === null ? table : `${table}.${column}`}</code>
            </p>
            {example !== null && <code className="break-words text-small">{example}</code>}
          </li>
        ))}
      </ul>
      {stuck.map(({ project, reason }) => (
        <p key={project} className="text-small text-ink-dim">
          {project} has to be emptied, which keeps keys, users and the fixture’s rows: {reason}
        </p>
      ))}
      {event === 'waiting' && (
        <div>
          <Button
            tone="danger"
            icon={<Trash2 />}
            isBusy={rebuild.isPending}
            onClick={() => rebuild.mutate()}
          >
            Apply save and lose these rows
          </Button>
        </div>
      )}
      {rebuild.error !== null && <Failed title="Could not apply the save" error={rebuild.error} />}
    </>
  )
}
