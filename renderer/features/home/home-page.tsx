// The home screen shows service health, addresses, keys and example requests.
import { useSearch } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { ServiceHealth } from '../../../emulator/contract/overview.ts'
import { useInfo, useOverview } from '../../api/info.ts'
import { useCurrentTenant } from '../../parts/current-tenant.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Chip } from '../../ui/chip.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { AddressList, EngineFacts, HealthList, KeyList, LastErrors } from './home-cards.tsx'
import type { HomeSearch } from './home-search.ts'

/**
 * The interval between reloads, in wall milliseconds. The screen polls because no event reports changes of memory or
 * health.
 */
const RENEW_MILLIS = 5_000

export function HomePage(): ReactElement {
  const { step = 'rows' } = useSearch({ from: '/' })
  const go = useSetSearch<HomeSearch>()
  const overview = useOverview(RENEW_MILLIS)
  const info = useInfo()
  const tenant = useCurrentTenant()
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
            <Loaded query={overview} what="service health">
              {({ services }) => <HealthList services={services} />}
            </Loaded>
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
          <Card title="Addresses">
            <Loaded query={info} what="addresses">
              {(addresses) => <AddressList info={addresses} />}
            </Loaded>
          </Card>
          {info.data === undefined ? undefined : (
            <Card title={tenant === undefined ? 'Keys' : `Keys of ${tenant}`}>
              <KeyList info={info.data} tenant={tenant} />
            </Card>
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

function Summary({ states }: { readonly states: readonly ServiceHealth['state'][] }): ReactElement {
  const unhealthy = states.filter((state) => state !== 'well').length
  return unhealthy === 0 ? (
    <Chip tone="allowed">All services healthy</Chip>
  ) : (
    <Chip tone="refused">{countOf(unhealthy, 'service')} not healthy</Chip>
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
