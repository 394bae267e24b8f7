// The home screen shows problems by cause, with example requests below. Traffic, health, addresses and keys are beside them.
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactElement, type ReactNode, useEffect } from 'react'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import type { Home } from '../../../emulator/contract/home.ts'
import { useHome } from '../../api/home.ts'
import { useInfo, useProjectList } from '../../api/info.ts'
import { wantRequests } from '../../api/live.ts'
import { useTables } from '../../api/tables.ts'
import { useCurrentTenant } from '../../parts/current-tenant.ts'
import { FollowedFolder } from '../../parts/followed-folder.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type StepWorld, stepLine, tenantIn } from './first-steps.ts'
import { AddressList, EngineFacts, HealthList, KeyList } from './home-cards.tsx'
import { type HomeSearch, STEPS, type Step } from './home-search.ts'
import { HomeTraffic, TrafficLink } from './home-traffic.tsx'
import { KeepBodies } from './keep-bodies.tsx'
import { ProblemList } from './problem-list.tsx'
import { refusedWords } from './problem-words.ts'

export function HomePage(): ReactElement {
  const { step = 'rows' } = useSearch({ from: '/' })
  const go = useSetSearch<HomeSearch>()
  const home = useHome()
  useEffect(() => {
    wantRequests(false)
    return () => wantRequests(true)
  }, [])
  const info = useInfo()
  const projects = useProjectList()
  const tenant = useCurrentTenant()
  return (
    <>
      <PageHeader title="Home" beside={home.data && <Summary home={home.data} />} />
      <FollowedFolder isQuiet />
      <div className="grid min-h-0 flex-1 auto-rows-min grid-cols-1 gap-4 overflow-auto p-4 lg:grid-cols-[minmax(0,1fr)_420px]">
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Problems">
            <Loaded query={home} what="problems">
              {(loaded) => <ProblemList home={loaded} />}
            </Loaded>
            <KeepBodies />
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
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Traffic" beside={<TrafficLink />}>
            {home.data === undefined ? (
              <Loading label="Loading traffic" lines={2} />
            ) : (
              <HomeTraffic home={home.data} />
            )}
          </Card>
          <Card title="Services">
            <Loaded query={home} what="service health">
              {({ services }) => <HealthList services={services} />}
            </Loaded>
          </Card>
          <Card title="Addresses">
            <Loaded query={info} what="addresses">
              {(addresses) => <AddressList info={addresses} />}
            </Loaded>
          </Card>
          {info.data !== undefined && (
            <Card title={tenant === undefined ? 'Keys' : `Keys of ${tenant}`}>
              <KeyList info={info.data} tenant={tenant} />
            </Card>
          )}
          {home.data !== undefined && projects.data !== undefined && (
            <Card title="This emulator">
              <EngineFacts home={home.data} list={projects.data} />
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

function Summary({ home }: { readonly home: Home }): ReactElement {
  const { requests, services, version } = home
  const unhealthy = services.filter(({ state }) => state !== 'well').length
  return (
    <>
      <Chip isMono>{version}</Chip>
      {unhealthy === 0 ? (
        <Chip tone="allowed">All services healthy</Chip>
      ) : (
        <Chip tone="refused">{countOf(unhealthy, 'service')} not healthy</Chip>
      )}
      {requests.refused > 0 && (
        <Link
          to="/requests"
          search={{ refused: 'only' }}
          className="inline-flex h-5 items-center rounded-1 border border-refused/40 bg-refused-tint px-1 text-small whitespace-nowrap text-refused hover:border-refused"
        >
          {refusedWords(requests)}
        </Link>
      )}
    </>
  )
}

function Card(props: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  const { title, beside, children } = props
  return (
    <section aria-label={title} className="min-w-0 overflow-hidden rounded-2 border bg-surface-1">
      <div className="flex h-9 items-center justify-between border-b px-4">
        <h2 className="font-strong">{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  )
}

interface FirstStepsCardProps {
  readonly info: ReadyLine
  /** The tenant's slug. */
  readonly tenant: string | undefined
  readonly step: Step
  readonly onStep: (step: Step) => void
}

function FirstStepsCard(props: FirstStepsCardProps): ReactElement {
  const { info, tenant: slug } = props
  const found = tenantIn(info, slug)
  if (found === undefined)
    return (
      <EmptyState
        title="No tenant chosen"
        detail="Example requests of a tenant appear here. Choose a tenant in the top bar, or provision a tenant under Groups and tenants."
      />
    )
  return <Steps {...props} world={{ info, ...found }} />
}

function Steps(
  props: FirstStepsCardProps & { readonly world: Omit<StepWorld, 'table'> },
): ReactElement {
  const { world, step, onStep } = props
  const { data, isPending } = useTables(world.tenant.slug)
  if (isPending) return <Loading label="Loading first steps" />
  const open = data?.tables.filter(({ is_closed: isClosed }) => !isClosed) ?? []
  const table = (open.find(({ rows }) => (rows ?? 0) > 0) ?? open[0])?.name
  const { explanation, command, shown } = stepLine(step, { ...world, table })
  return (
    <Tabs
      label="First steps"
      value={step}
      tabs={STEPS.map((value) => ({
        value,
        label: stepLine(value, { ...world, table }).title,
      }))}
      onChange={onStep}
      actions={<CopyButton text={command} label="Copy command" words="Copy" />}
    >
      <div className="flex flex-col gap-2 p-3">
        <p className="text-ink-dim">{explanation}</p>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the block
          tabIndex={0}
          role="group"
          aria-label="Command"
          className="overflow-auto rounded-1 bg-surface-0 p-3"
        >
          {shown}
        </pre>
      </div>
    </Tabs>
  )
}
