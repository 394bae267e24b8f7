// The result of the last save of the folder that `tenantry dev` follows.
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import type { FixtureList } from '../../emulator/contract/fixtures.ts'
import { useFixtures } from '../api/fixtures.ts'
import { formatDuration } from '../ui/format.ts'
import { MiddleTruncate } from '../ui/middle-truncate.tsx'
import { ProblemList } from './problem-list.tsx'

type Followed = NonNullable<FixtureList['followed']>

/** Shows nothing when no folder is followed. @param isQuiet shows only a refused save */
export function FollowedFolder(props: { readonly isQuiet?: boolean }): ReactElement | null {
  const followed = useFixtures().data?.followed ?? undefined
  if (followed === undefined || (props.isQuiet === true && followed.event !== 'refused'))
    return null
  return (
    <section
      aria-label="Application folder"
      className="flex max-h-80 flex-col gap-3 overflow-auto border-b px-4 py-3"
    >
      <p role="status" className="flex items-center gap-2">
        {followed.event === 'refused' ? (
          <CircleAlert className="size-4 shrink-0 text-refused" />
        ) : (
          <CircleCheck className="size-4 shrink-0 text-allowed" />
        )}
        <span className="shrink-0 font-strong">{headOf(followed)}</span>
        <MiddleTruncate text={followed.fixture} isMono />
      </p>
      {followed.problems.length > 0 && <ProblemList problems={followed.problems} />}
      {followed.kept.length > 0 && (
        <p className="text-small text-ink-dim">
          Tenants with the old structure: {followed.kept.join(', ')}
        </p>
      )}
    </section>
  )
}

function headOf({ duration_ms: millis, event }: Followed): string {
  const time = formatDuration(millis)
  if (event === 'refused') return 'Last save refused. The emulator did not change.'
  return event === 'rebuilt' ? `Rebuilt from the steps in ${time}` : `Last save applied in ${time}`
}
