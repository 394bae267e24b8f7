// Home: how everything is, where it is and with which keys, and what to try first.
import { useSearch } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { useInfo, useOverview } from '../../api/info.ts'
import { useCurrentTenant } from '../../parts/current-tenant.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Chip } from '../../ui/chip.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { AddressList } from './address-list.tsx'
import { EngineFacts } from './engine-facts.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { HealthList } from './health-list.tsx'
import type { HomeSearch } from './home-search.ts'
import { KeyList } from './key-list.tsx'
import { LastErrors } from './last-errors.tsx'

/** Wall milliseconds: nobody tells that memory or health changed. */
const RENEW_MILLIS = 5_000

export function HomePage(): ReactElement {
  const { step = 'rows' } = useSearch({ from: '/' })
  const go = useSetSearch<HomeSearch>()
  const overview = useOverview(RENEW_MILLIS)
  const info = useInfo()
  const tenant = useCurrentTenant()
  const problem = overview.data === undefined ? overview.error : null
  return (
    <>
      <PageHeader
        title="Home"
        beside={
          overview.data === undefined ? undefined : (
            <>
              <Chip isMono>{overview.data.version}</Chip>
              <Summary states={overview.data.services.map(({ state }) => state)} />
            </>
          )
        }
      />
      <div className="grid min-h-0 flex-1 auto-rows-min grid-cols-1 gap-4 overflow-auto p-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Services">
            {overview.data !== undefined ? (
              <HealthList services={overview.data.services} />
            ) : problem === null ? (
              <Loading label="Loading services" />
            ) : (
              <Failed
                title="Could not load service health"
                error={problem}
                retry={() => void overview.refetch()}
              />
            )}
          </Card>
          <Card title="First steps">
            {info.data === undefined ? (
              <Loading label="Loading first steps" />
            ) : (
              <FirstStepsCard
                info={info.data}
                tenant={tenant}
                step={step}
                onStep={(next) => go({ step: next === 'rows' ? undefined : next })}
              />
            )}
          </Card>
          {overview.data === undefined ? undefined : (
            <Card title="Last errors">
              <LastErrors errors={overview.data.last_errors} />
            </Card>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {info.error !== null && info.data === undefined ? (
            <Failed
              title="The addresses could not be read"
              error={info.error}
              retry={() => void info.refetch()}
            />
          ) : (
            <>
              <Card title="Addresses">
                {info.data === undefined ? (
                  <Loading label="Loading addresses" />
                ) : (
                  <AddressList info={info.data} />
                )}
              </Card>
              {info.data === undefined ? undefined : (
                <Card title={tenant === undefined ? 'Keys' : `Keys of ${tenant}`}>
                  <KeyList info={info.data} tenant={tenant} />
                </Card>
              )}
            </>
          )}
          {overview.data === undefined ? undefined : (
            <Card title="This emulator">
              <EngineFacts overview={overview.data} />
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

function Summary({ states }: { readonly states: readonly string[] }): ReactElement {
  const unwell = states.filter((state) => state !== 'well').length
  return unwell === 0 ? (
    <Chip tone="allowed">All services healthy</Chip>
  ) : (
    <Chip tone="refused">
      {unwell} {unwell === 1 ? 'service is' : 'services are'} not well
    </Chip>
  )
}

function Card({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <section aria-label={title} className="min-w-0 overflow-hidden rounded-2 border bg-surface-1">
      <h2 className="flex h-9 items-center border-b px-4 font-strong">{title}</h2>
      {children}
    </section>
  )
}
