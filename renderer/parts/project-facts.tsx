// The two facts about a project of a fleet, in the same words on every screen: its steps, and the differences of its structure.
import type { ReactElement } from 'react'
import {
  differencesFromText,
  differencesText,
  referenceText,
  stepsText,
} from '../../emulator/contract/fact-words.ts'
import type { Fleet } from '../../emulator/contract/fleet.ts'
import type { DifferencesFact, StepsFact } from '../../emulator/contract/project-facts.ts'
import { Chip, type Tone } from '../ui/chip.tsx'

export function StepsChip({ fact }: { readonly fact: StepsFact }): ReactElement {
  return (
    <Chip tone={stepsTone(fact)} title={fact.problem ?? STEPS_DETAIL}>
      {stepsText(fact)}
    </Chip>
  )
}

export function DifferencesChip(props: {
  readonly fact: DifferencesFact
  /** Leaves out what the structure was compared with, where a column has no room. The tooltip names it. */
  readonly isShort?: boolean
}): ReactElement {
  const { fact, isShort = false } = props
  const { compared_with: reference, state } = fact
  return (
    <Chip
      tone={differencesTone(fact)}
      title={
        reference === null
          ? DIFFERENCES_DETAIL[state]
          : `Compared with ${referenceText(reference)}. ${DIFFERENCES_DETAIL[state]}`
      }
    >
      {isShort ? differencesText(fact) : differencesFromText(fact)}
    </Chip>
  )
}

/** Tooltip of a column of short `DifferencesChip`s. */
export const STRUCTURE_TITLE =
  'Structure beside the project’s own steps and version, not beside the newest version'

/** The template version that a tenant was cloned from, and the newest version when a newer one exists. */
export function ClonedVersion(props: {
  readonly version: number | null
  readonly newest: number | undefined
}): ReactElement {
  const { newest, version } = props
  if (version === null) return <span className="text-ink-dim">–</span>
  return (
    <span className="font-mono">
      v{version}
      {newest !== undefined && newest > version && (
        <span className="pl-1 text-ink-dim">of v{newest}</span>
      )}
    </span>
  )
}

/** Number of the newest published version; `undefined` when none is published. */
export function newestOf({ versions }: Pick<Fleet, 'versions'>): number | undefined {
  return versions.at(-1)?.number
}

const STEPS_DETAIL = 'Migration steps that ran in this project, and those that did not run yet.'

const DIFFERENCES_DETAIL: Readonly<Record<DifferencesFact['state'], string>> = {
  checked: 'This comparison ignores newer versions of the template.',
  not_checked: 'The structure is compared with what steps and version say in a moment.',
  not_comparable: 'No steps and no version say what the structure should be.',
}

// The green tone (`allowed`) means that the state is known and as expected.
function stepsTone({ pending, problem, ran }: StepsFact): Tone {
  if (problem !== null) return ran === null ? 'unknown' : 'refused'
  if (pending === null) return 'neutral'
  return pending === 0 ? 'allowed' : 'clock'
}

function differencesTone({ count, state }: DifferencesFact): Tone {
  if (state === 'not_checked') return 'unknown'
  if (count === null) return 'neutral'
  return count === 0 ? 'allowed' : 'changed'
}

/** Width of the column of `StepsChip`, in px. Without steps, each chip shows only `0 ran`. */
export function stepsWidth({ steps }: Pick<Fleet, 'steps'>): number {
  return steps.length === 0 ? 88 : 176
}

/** The slug of a tenant, with its external ID if it has one. */
export function TenantName(props: {
  readonly slug: string
  readonly externalId: string | null
}): ReactElement {
  const { externalId, slug } = props
  return (
    <span title={externalId === null ? slug : `${slug} · ${externalId}`}>
      {slug}
      {externalId !== null && <span className="pl-2 text-ink-dim">{externalId}</span>}
    </span>
  )
}
