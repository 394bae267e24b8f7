// What runs, since when, where its data is and how much memory it takes.
import type { ReactElement } from 'react'
import type { PlatformOverview } from '../../../emulator/contract/overview.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'

export function EngineFacts({ overview }: { readonly overview: PlatformOverview }): ReactElement {
  return (
    <div className="px-4 py-3">
      <KeyValueList
        items={[
          ['Version', <code key="version">{overview.version}</code>],
          [
            'Data directory',
            overview.data_dir === null ? (
              <span key="none">none: everything is in memory and ends with the process</span>
            ) : (
              <MiddleTruncate
                key="dir"
                text={overview.data_dir}
                tail={24}
                copyLabel="Copy the data directory"
              />
            ),
          ],
          ['Started', <Timestamp key="started" at={overview.started_at} format="exact" />],
          [
            'Memory',
            <span key="memory">
              <Bytes bytes={overview.memory_bytes} />
              <span className="text-ink-dim">
                , the database’s share <Bytes bytes={overview.engine_heap_bytes} />
              </span>
            </span>,
          ],
          [
            'Projects',
            `${overview.groups.length} ${overview.groups.length === 1 ? 'group' : 'groups'}, ${overview.groups.reduce((sum, { tenants }) => sum + tenants.length, 0)} tenants, ${overview.projects.length} without a group`,
          ],
        ]}
      />
    </div>
  )
}
