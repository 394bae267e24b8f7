// Lists the differences between the structures of two projects: missing, additional and different objects.

import { Check } from 'lucide-react'
import type { ReactElement } from 'react'
import { referenceText } from '../../emulator/contract/fact-words.ts'
import type { StructureDiff } from '../../emulator/contract/tables.ts'
import { Breakable } from '../ui/breakable.tsx'
import { Chip } from '../ui/chip.tsx'
import { sidesOf } from './structure-sides.ts'

export type Difference = StructureDiff['differences'][number]

const WORDS: Readonly<Record<Difference['kind'], string>> = {
  missing: 'missing',
  extra: 'only here',
  different: 'different',
}

/** The differences are seen from `project`. */
export function StructureDifferences(props: {
  readonly differences: readonly Difference[]
  readonly project: string
  /** Slug of the other project, or the value of `compared_with` in a report of drift. */
  readonly other: string
}): ReactElement {
  const { differences, project, other } = props
  if (differences.length === 0)
    return (
      <p className="flex items-center gap-2 text-allowed">
        <Check className="size-4" />
        Same structure as {referenceText(other)}: tables, columns, policies, functions and grants
        match.
      </p>
    )
  return (
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
          {WORDS[kind]}
        </Chip>
        <span className="text-ink-dim">{object}</span>
        <span className="min-w-0 font-mono break-words">
          <Breakable text={name} />
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
