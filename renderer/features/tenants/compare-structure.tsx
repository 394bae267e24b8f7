// How a project's structure differs from another's: what it lacks, what only it has, and what is there in two versions.
import { Check } from 'lucide-react'
import type { ReactElement } from 'react'
import type { StructureDiff } from '../../../emulator/contract/tables.ts'
import { useProjects } from '../../api/info.ts'
import { useStructureDiff } from '../../api/project-settings.ts'
import { Chip } from '../../ui/chip.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { sidesOf } from './structure-words.ts'

export interface CompareStructureProps {
  readonly project: string
  readonly other: string | undefined
  readonly onOther: (slug: string) => void
}

type Difference = StructureDiff['differences'][number]

export function CompareStructure({ project, other, onOther }: CompareStructureProps): ReactElement {
  const { data: projects = [] } = useProjects()
  return (
    <>
      <div className="flex items-center gap-3">
        <code>{project}</code>
        <span className="text-ink-dim">compared with</span>
        <Combobox
          label="Compare with"
          isMono
          value={other ?? null}
          placeholder="Choose a project"
          options={projects
            .filter(({ slug }) => slug !== project)
            .map(({ slug, kind }) => ({ value: slug, label: slug, detail: kind }))}
          onChange={onOther}
        />
      </div>
      {other === undefined ? (
        <EmptyState title="Compared with what?" detail="Choose a tenant or the template." />
      ) : (
        <Differences project={project} other={other} />
      )}
    </>
  )
}

function Differences({
  project,
  other,
}: {
  readonly project: string
  readonly other: string
}): ReactElement {
  const { data, error, refetch } = useStructureDiff(project, other)
  if (data === undefined)
    return error === null ? (
      <Loading label="Comparing" />
    ) : (
      <Failed title="They could not be compared" error={error} retry={() => void refetch()} />
    )
  if (data.differences.length === 0)
    return (
      <p className="flex items-center gap-2 text-allowed">
        <Check aria-hidden="true" className="size-4" />
        The same structure: tables, columns, policies, functions and grants agree.
      </p>
    )
  return (
    <ul aria-label="Differences" className="rounded-2 border bg-surface-0">
      {data.differences.map((difference) => (
        <DifferenceLine
          key={`${difference.kind} ${difference.object} ${difference.name}`}
          difference={difference}
          project={project}
          other={other}
        />
      ))}
    </ul>
  )
}

function DifferenceLine({
  difference: { kind, object, name, here, there },
  project,
  other,
}: {
  readonly difference: Difference
  readonly project: string
  readonly other: string
}): ReactElement {
  const sides = sidesOf(here, there)
  return (
    <li className="flex flex-col gap-1 border-b p-3 last:border-b-0">
      <p className="flex min-w-0 items-center gap-2">
        {kind === 'missing' ? <Chip tone="refused">lacks</Chip> : undefined}
        {kind === 'extra' ? (
          <Chip tone="accent" icon={<span aria-hidden="true">+</span>}>
            only here
          </Chip>
        ) : undefined}
        {kind === 'different' ? <Chip tone="changed">differs</Chip> : undefined}
        <span className="text-ink-dim">{object}</span>
        <span className="truncate font-mono" title={name}>
          {name}
        </span>
      </p>
      <Side slug={project} text={sides.here} />
      <Side slug={other} text={sides.there} />
    </li>
  )
}

function Side({
  slug,
  text,
}: {
  readonly slug: string
  readonly text: string | undefined
}): ReactElement | undefined {
  if (text === undefined) return undefined
  return (
    <div className="grid grid-cols-[96px_minmax(0,1fr)] items-baseline gap-2">
      <span className="truncate text-small text-ink-dim">{slug}</span>
      <code className="break-words whitespace-pre-wrap">{text}</code>
    </div>
  )
}
