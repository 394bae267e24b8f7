// Shows who gains or loses rows through a fix: a sentence, and one line for each table, command and identity. A chip shows the
// widest audience that gains rows.
import { Check, EyeOff, Globe, HelpCircle, TriangleAlert, Users } from 'lucide-react'
import type { ReactElement } from 'react'
import type { FixChange, FixEffect } from '../../../emulator/contract/suggested-fixes.ts'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { countOf } from '../../ui/form-values.ts'

const MARKS: Readonly<
  Record<
    FixEffect['opens_to'],
    { readonly tone: Tone; readonly words: string; readonly icon: ReactElement }
  >
> = {
  none: { tone: 'neutral', words: 'no access gained', icon: <EyeOff size={11} /> },
  asker: { tone: 'allowed', words: 'no other user', icon: <Check size={11} /> },
  users: { tone: 'clock', words: 'other users', icon: <Users size={11} /> },
  signed_in: { tone: 'clock', words: 'everybody who signs in', icon: <TriangleAlert size={11} /> },
  anon: { tone: 'refused', words: 'anon: everybody', icon: <Globe size={11} /> },
  unknown: { tone: 'unknown', words: 'not compared', icon: <HelpCircle size={11} /> },
}

/**
 * A chip for the widest audience that gains rows. Shows `no other row` when only the asking identity gains rows, and gains just
 * one.
 */
export function FixMark({ effect }: { readonly effect: FixEffect }): ReactElement {
  const { icon, tone, words } = MARKS[effect.opens_to]
  return (
    <Chip tone={tone} icon={icon} title={effect.sentence}>
      {effect.opens_to === 'asker' && effect.cells === 1 ? 'no other row' : words}
    </Chip>
  )
}

export function FixEffectView({ effect }: { readonly effect: FixEffect }): ReactElement {
  const { changes, identities, notes, sentence } = effect
  return (
    <div className="grid gap-1">
      <p>{sentence}</p>
      {notes.map((note) => (
        <p key={note} className="text-small text-unknown">
          {note}
        </p>
      ))}
      {changes.length > 0 && (
        <details className="text-small text-ink-dim">
          <summary className="w-max rounded-1 hover:text-ink">
            Rows and identities ({identities} identities compared)
          </summary>
          <ul aria-label="Rows and identities" className="grid gap-1 pt-1">
            {changes.map((change) => (
              <ChangeLine
                key={`${change.table} ${change.command} ${change.audience} ${change.identity}`}
                change={change}
              />
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const VERBS = { select: 'sees', insert: 'inserts', update: 'changes', delete: 'deletes' } as const

function ChangeLine({ change }: { readonly change: FixChange }): ReactElement {
  const { changed, command, example, gained, identity, lost, table } = change
  return (
    <li className="grid min-w-0 gap-0.5">
      <span className="flex min-w-0 flex-wrap gap-x-2">
        <span className="truncate text-ink">{identity}</span>
        <span>
          {VERBS[command]} <span className="font-mono">{table}</span>
        </span>
        {gained > 0 && <span className="text-allowed">+{gained.toLocaleString('en')}</span>}
        {lost > 0 && <span className="text-refused">−{lost.toLocaleString('en')}</span>}
        {changed > 0 && <span>{countOf(changed, 'changed row')}</span>}
      </span>
      {example !== null && (
        <span className="truncate font-mono" title={exampleText(example)}>
          {exampleText(example)}
        </span>
      )}
    </li>
  )
}

function exampleText(example: NonNullable<FixChange['example']>): string {
  return Object.entries(example)
    .map(([name, cell]) => `${name}: ${cell ?? 'null'}`)
    .join(', ')
}
