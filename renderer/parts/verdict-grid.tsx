// Shows a matrix of rows and identities, with a verdict in each cell. Hovering shows the reason; arrow keys move
// between cells.
import { ArrowRight } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react'
import type { VerdictMatrix } from '../../emulator/contract/explain.ts'
import type { RowCommand } from '../../emulator/contract/values.ts'
import { cx } from '../ui/cx.ts'
import { moveCursor } from '../ui/grid-cursor.ts'
import { rowKeyLabel, rowKeyText } from './row-key.ts'
import { TruthMark } from './truth-mark.tsx'
import { splitReason, verdictWord } from './verdict-words.ts'

type Cell = VerdictMatrix['rows'][number]['cells'][number]

/** A cell of a policy draft. `now` has the verdict without the draft. */
type GridCell = Cell & { readonly now?: Cell }

type GridRow = Omit<VerdictMatrix['rows'][number], 'cells'> & {
  readonly cells: readonly GridCell[]
}

export interface VerdictGridProps {
  readonly matrix: {
    readonly identities: readonly (Pick<VerdictMatrix['identities'][number], 'label' | 'role'> & {
      /** The text under the identity's name. Replaces the number of rows in the grid. */
      readonly note?: string
    })[]
    readonly rows: readonly GridRow[]
  }
  readonly command: RowCommand
  /** The cell with the open X-ray: the row's key text and the identity's position. */
  readonly open: { readonly row: string; readonly identity: number } | undefined
  readonly onOpen: (row: string, identity: number) => void
}

function allowedIn(rows: VerdictGridProps['matrix']['rows'], position: number): number {
  return rows.filter(({ cells }) => cells[position]?.allowed === true).length
}

const PAGE = 10
/** The limits for the values that show beside a row's key. */
const GIST = { letters: 40, values: 3 }

export function VerdictGrid({ matrix, command, open, onOpen }: VerdictGridProps): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  useOpenCellInView(place, open)
  const { identities, rows } = matrix
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = event.target instanceof HTMLElement ? event.target.dataset : {}
    if (cell['row'] === undefined || event.altKey) return
    const next = moveCursor(
      { row: Number(cell['row']), column: Number(cell['column']) },
      event.key,
      { rows: rows.length, columns: identities.length, page: PAGE },
      event.ctrlKey || event.metaKey,
    )
    if (next === undefined) return
    event.preventDefault()
    place.current
      ?.querySelector<HTMLElement>(`[data-row="${next.row}"][data-column="${next.column}"]`)
      ?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cells inside are focusable
    <div ref={place} onKeyDown={onKeyDown} className="min-h-0 flex-1 scroll-pt-11 overflow-auto">
      <table aria-label="Rows and identities" className="w-max border-separate border-spacing-0">
        <thead>
          <tr>
            <th
              data-corner
              className="sticky top-0 left-0 z-20 min-w-56 border-r border-b border-line-strong bg-surface-1 px-3 text-left font-normal text-ink-dim"
            >
              row
            </th>
            {identities.map(({ label, note, role }, position) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: two identities may have the same label
                key={position}
                title={`${label} (${role})`}
                className="sticky top-0 z-10 h-11 w-32 max-w-32 border-r border-b border-line-strong bg-surface-1 px-2 text-left font-normal"
              >
                <span className="flex items-baseline justify-between gap-2">
                  <span className="min-w-0 truncate">{label.split('@')[0]}</span>
                  {note === undefined && (
                    <span
                      title={`${allowedIn(rows, position)} of ${rows.length} rows`}
                      className="shrink-0 text-small text-ink-dim"
                    >
                      {allowedIn(rows, position)}
                    </span>
                  )}
                </span>
                <span className="block truncate text-small text-ink-dim">
                  {note ?? (label.includes('@') ? `@${label.split('@')[1]}` : role)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Line
              key={rowKeyText(row.key)}
              row={row}
              index={index}
              command={command}
              labels={identities.map(({ label }) => label)}
              open={open?.row === rowKeyText(row.key) ? open.identity : undefined}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line(props: {
  readonly row: GridRow
  readonly index: number
  readonly command: RowCommand
  readonly labels: readonly string[]
  readonly open: number | undefined
  readonly onOpen: VerdictGridProps['onOpen']
}): ReactElement {
  const { row, index, command, labels, open, onOpen } = props
  const key = rowKeyText(row.key)
  return (
    <tr className="group/line">
      <th className="sticky left-0 z-10 max-w-72 border-r border-b bg-surface-0 px-3 text-left font-normal group-hover/line:bg-surface-1">
        <span className="flex gap-3 font-mono">
          <span className="shrink-0">{rowKeyLabel(row.key)}</span>
          <span className="truncate text-ink-dim">{gist(row)}</span>
        </span>
      </th>
      {row.cells.map((cell, position) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: cells are in the order of the identities
          key={position}
          className="border-r border-b p-0"
        >
          <button
            type="button"
            data-row={index}
            data-column={position}
            data-open={open === position || undefined}
            data-change={changeOf(cell)}
            title={`${labels[position]}: ${cellText(command, cell)}`}
            aria-label={`${labels[position]}: ${cellText(command, cell)}`}
            onClick={() => onOpen(key, position)}
            className={cx(
              'flex h-7 w-full items-center justify-center gap-1 group-hover/line:brightness-110',
              groundOf(cell),
              'scroll-ml-(--head)',
              open === position && 'shadow-[inset_0_0_0_2px_var(--color-accent)]',
            )}
          >
            {changeOf(cell) !== undefined && (
              <>
                <TruthMark value={cell.allowed ? 'false' : 'true'} label="" />
                <ArrowRight size={12} className="text-ink-dim" />
              </>
            )}
            <TruthMark value={cell.allowed ? 'true' : 'false'} label="" />
          </button>
        </td>
      ))}
    </tr>
  )
}

function changeOf({ allowed, now }: GridCell): 'gained' | 'lost' | undefined {
  if (now === undefined || now.allowed === allowed) return undefined
  return allowed ? 'gained' : 'lost'
}

/** The colour of a cell. A row that an identity gains is amber, because it is newly exposed. */
function groundOf(cell: GridCell): string {
  const change = changeOf(cell)
  if (change === 'gained') return 'animate-flip bg-clock/24 hover:bg-clock/40'
  if (change === 'lost') return 'animate-flip bg-changed/20 hover:bg-changed/32'
  return cell.allowed ? 'bg-allowed/8 hover:bg-allowed/20' : 'bg-refused/6 hover:bg-refused/16'
}

/** The verdict and its reason, which may begin with the same word. */
function cellText(command: RowCommand, cell: GridCell): string {
  const { allowed, reason } = cell
  const word = verdictWord(command, allowed)
  if (changeOf(cell) === undefined) return `${word}${splitReason(command, allowed, reason)[1]}`
  return `${verdictWord(command, !allowed)} now, ${word} with the draft. ${reason}`
}

// Opening a cell's X-ray makes the matrix narrower, which would leave the cell out of view. A scroll into view must also keep
// the cell clear of the column of rows, which does not scroll.
function useOpenCellInView(
  place: RefObject<HTMLDivElement | null>,
  open: VerdictGridProps['open'],
): void {
  const cell = open === undefined ? undefined : `${open.row} ${open.identity}`
  useLayoutEffect(() => {
    const matrix = place.current
    if (matrix === null) return
    const show = () => {
      const head = matrix.querySelector<HTMLElement>('[data-corner]')?.offsetWidth ?? 0
      matrix.style.setProperty('--head', `${head}px`)
      if (cell === undefined) return
      const shown = matrix.querySelector('[data-open]')
      shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    const sizes = new ResizeObserver(show)
    sizes.observe(matrix)
    show()
    return () => sizes.disconnect()
  }, [place, cell])
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Selects a few short values that identify the row. Words take precedence over numbers, and ids come last. */
function gist({ key, row }: GridRow): string {
  const values = Object.entries(row).flatMap(([name, value]) =>
    Object.hasOwn(key, name) || value === null ? [] : shortened(value),
  )
  const words = values.filter((value) => /\p{L}{3}/u.test(value) && !UUID.test(value))
  const numbers = values.filter((value) => !words.includes(value) && !UUID.test(value))
  const ids = values.filter((value) => UUID.test(value))
  return [...words, ...numbers, ...ids].slice(0, GIST.values).join(' · ')
}

function shortened(value: string): string {
  return value.length > GIST.letters ? `${value.slice(0, GIST.letters - 1)}…` : value
}
