// Compares the structures of two projects, and lists missing, additional and different objects.
import { Check } from 'lucide-react'
import type { ReactElement } from 'react'
import type { StructureDiff } from '../../../emulator/contract/tables.ts'
import { useProjects } from '../../api/info.ts'
import { useStructureDiff } from '../../api/project-settings.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { sidesOf } from './structure-sides.ts'
import { DIFFERENCES, EMPTY, HINTS } from './texts.ts'

type Difference = StructureDiff['differences'][number]

export function CompareStructure(props: {
  readonly project: string
  readonly other: string | undefined
  readonly onOther: (slug: string) => void
}): ReactElement {
  const { project, other, onOther } = props
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
        <EmptyState {...EMPTY.comparison} />
      ) : (
        <Differences project={project} other={other} />
      )}
    </>
  )
}

function Differences(props: { readonly project: string; readonly other: string }): ReactElement {
  const { project, other } = props
  return (
    <Loaded query={useStructureDiff(project, other)} what="the comparison">
      {({ differences }) =>
        differences.length === 0 ? (
          <p className="flex items-center gap-2 text-allowed">
            <Check className="size-4" />
            {HINTS.sameStructure}
          </p>
        ) : (
          <ul aria-label="Differences" className="rounded-2 border bg-surface-0">
            {differences.map((difference) => (
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
    </Loaded>
  )
}

const TONES = { missing: 'refused', extra: 'accent', different: 'changed' } as const

function DifferenceLine(props: {
  readonly difference: Difference
  readonly project: string
  readonly other: string
}): ReactElement {
  const { difference, project, other } = props
  const { kind, object, name, here, there } = difference
  const sides = sidesOf(here, there)
  return (
    <li className="flex flex-col gap-1 border-b p-3 last:border-b-0">
      <p className="flex min-w-0 items-center gap-2">
        <Chip
          tone={TONES[kind]}
          {...(kind === 'extra' ? { icon: <span aria-hidden="true">+</span> } : {})}
        >
          {DIFFERENCES[kind]}
        </Chip>
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

function Side(props: {
  readonly slug: string
  readonly text: string | undefined
}): ReactElement | undefined {
  const { slug, text } = props
  if (text === undefined) return undefined
  return (
    <div className="grid grid-cols-[96px_minmax(0,1fr)] items-baseline gap-2">
      <span className="truncate text-small text-ink-dim">{slug}</span>
      <code className="break-words whitespace-pre-wrap">{text}</code>
    </div>
  )
}
