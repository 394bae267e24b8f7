// Where each service answers.
import type { ReactElement } from 'react'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'

export function AddressList({ info }: { readonly info: ReadyLine }): ReactElement {
  const addresses = [
    ['Auth, management', info.auth_url],
    ['Data (REST)', info.data_url],
    ['Storage', info.storage_url],
    ['Realtime', info.realtime_url],
    ['Postgres', info.postgres_url],
  ] as const
  return (
    <div className="px-4 py-3">
      <KeyValueList
        items={addresses.map(([name, url]) => [
          name,
          url === null ? (
            <span key={name} className="text-ink-dim">
              no port is listening
            </span>
          ) : (
            <MiddleTruncate
              key={name}
              text={url}
              tail={14}
              copyLabel={`Copy the address of ${name}`}
            />
          ),
        ])}
      />
    </div>
  )
}
