// One table of the schema map. When the zoom is small, the box shows only the table's name, in a size that stays readable.
import { KeyRound, Lock, ShieldCheck, ShieldOff, View } from 'lucide-react'
import { type MemoExoticComponent, memo, type ReactElement } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { cx } from '../../ui/cx.ts'
import type { Point } from './map-layout.ts'
import {
  type BoxLine,
  CHARACTER,
  FOOT_HEIGHT,
  fitted,
  HEAD_HEIGHT,
  halvesOf,
  LINE_HEIGHT,
  type MapBox,
  shortType,
} from './map-model.ts'
import { type DrawnReads, READ_LOOKS } from './read-looks.ts'
import { boxLabel, policiesText, rowsText } from './texts.ts'

/** The functions that boxes call on their map. This object never changes, so that unchanged boxes don't render again. */
export type BoxActions = {
  readonly open: (table: string) => void
  readonly focus: (table: string) => void
}

export interface TableBoxProps {
  readonly box: MapBox
  readonly place: Point
  readonly readable: DrawnReads | undefined
  readonly isOpen: boolean
  readonly isDimmed: boolean
  /** Whether the key Tab reaches this box. */
  readonly isCurrent: boolean
  /** Whether the box shows only the table's name. */
  readonly isFar: boolean
  readonly actions: BoxActions
}

export const TableBox: MemoExoticComponent<(props: TableBoxProps) => ReactElement> = memo(
  function TableBox(props: TableBoxProps): ReactElement {
    const { box, place, readable, isOpen, isDimmed, isCurrent, isFar, actions } = props
    const { table, width, height } = box
    const isView = table.kind === 'view' || table.kind === 'materialized_view'
    return (
      <g
        data-table={table.name}
        transform={`translate(${place.x} ${place.y})`}
        className={cx(isDimmed && 'opacity-25')}
      >
        <rect
          width={width}
          height={height}
          rx={6}
          strokeWidth={isOpen ? 2 : 1}
          strokeDasharray={isView || table.is_closed ? '4 3' : undefined}
          className={cx('fill-surface-1', isOpen ? 'stroke-accent' : 'stroke-line-strong')}
        />
        <path
          d={headPath(width)}
          className={readable === undefined ? 'fill-surface-2' : READ_LOOKS[readable.look].fill}
        />
        {isFar ? (
          <FarName name={table.name} width={width} height={height} />
        ) : (
          <Details box={box} isView={isView} readable={readable} />
        )}
        <rect
          role="button"
          tabIndex={isCurrent ? 0 : -1}
          aria-label={boxLabel(table, readable)}
          aria-pressed={isOpen}
          width={width}
          height={height}
          rx={6}
          strokeWidth={2}
          className="fill-transparent stroke-transparent outline-none focus-visible:stroke-accent"
          onClick={() => actions.open(table.name)}
          onFocus={() => actions.focus(table.name)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return
            event.preventDefault()
            actions.open(table.name)
          }}
        />
      </g>
    )
  },
)

function Details(props: {
  readonly box: MapBox
  readonly isView: boolean
  readonly readable: DrawnReads | undefined
}): ReactElement {
  const { box, isView, readable } = props
  const { table, width, height, leftOut, lines } = box
  return (
    <>
      <BoxHead table={table} width={width} isView={isView} />
      {lines.map((line, index) => (
        <Line key={line.name} line={line} top={HEAD_HEIGHT + index * LINE_HEIGHT} width={width} />
      ))}
      {leftOut > 0 && (
        <text
          x={28}
          y={HEAD_HEIGHT + lines.length * LINE_HEIGHT + 14}
          className="fill-ink-dim text-small"
        >
          {leftOut} more
        </text>
      )}
      <BoxFoot table={table} width={width} top={height - FOOT_HEIGHT} readable={readable} />
    </>
  )
}

function headPath(width: number): string {
  const right = width - 0.5
  return `M0.5 ${HEAD_HEIGHT}V6a5.5 5.5 0 0 1 5.5 -5.5H${right - 5.5}a5.5 5.5 0 0 1 5.5 5.5V${HEAD_HEIGHT}Z`
}

function BoxHead(props: {
  readonly table: TableStructure
  readonly width: number
  readonly isView: boolean
}): ReactElement {
  const { table, width, isView } = props
  const mark = { x: width - 26, y: 8, size: 14 }
  return (
    <>
      <text x={10} y={20} className="fill-ink font-mono text-[12px] font-strong">
        {fitted(table.name, width - 44, CHARACTER + 0.2)}
      </text>
      {isView ? (
        <View {...mark} className="text-ink-dim" />
      ) : table.is_closed ? (
        <Lock {...mark} className="text-ink-dim" />
      ) : table.rls_enabled ? (
        <ShieldCheck {...mark} className="text-allowed" />
      ) : (
        <ShieldOff {...mark} className="text-refused" />
      )}
    </>
  )
}

function Line(props: {
  readonly line: BoxLine
  readonly top: number
  readonly width: number
}): ReactElement {
  const { line, top, width } = props
  const type = shortType(line.type)
  const shownType = fitted(type, Math.max(60, width - 44 - line.name.length * CHARACTER))
  return (
    <>
      {line.isKey ? (
        <KeyRound x={9} y={top + 4} size={12} className="text-clock" />
      ) : (
        line.isForeign && (
          <path d={`M10 ${top + 10}h9m-3 -3l3 3l-3 3`} className="fill-none stroke-ink-dim" />
        )
      )}
      <text x={28} y={top + 14} className="fill-ink font-mono text-[12px]">
        {fitted(line.name, width - 48 - shownType.length * CHARACTER)}
      </text>
      <text
        x={width - 10}
        y={top + 14}
        textAnchor="end"
        className="fill-ink-dim font-mono text-[12px]"
      >
        {shownType}
      </text>
    </>
  )
}

/** Estimated maximum width in px of a character in the foot. */
const SMALL_CHARACTER = 6

function BoxFoot(props: {
  readonly table: TableStructure
  readonly width: number
  readonly top: number
  readonly readable: DrawnReads | undefined
}): ReactElement {
  const { table, width, top, readable } = props
  const [rows, policies] = [rowsText(table, readable), policiesText(table)]
  const hasRoom = (rows.length + policies.length) * SMALL_CHARACTER < width - 32
  const share = readable?.total ? (readable.visible ?? 0) / readable.total : 0
  return (
    <>
      <path d={`M1 ${top}H${width - 1}`} className="stroke-line" />
      {readable !== undefined && share > 0 && (
        <rect
          x={1}
          y={top + FOOT_HEIGHT - 4}
          width={Math.max(3, (width - 2) * share)}
          height={3}
          className={READ_LOOKS[readable.look].bar}
        />
      )}
      <text x={10} y={top + 14} className="fill-ink-dim text-small">
        {rows}
      </text>
      <text x={width - 10} y={top + 14} textAnchor="end" className="fill-ink-dim text-small">
        {hasRoom && policies}
      </text>
    </>
  )
}

/**
 * The table's name without details, in two lines when the name has an underscore. `--map-name` is the font size that is readable
 * at the present zoom.
 */
function FarName(props: {
  readonly name: string
  readonly width: number
  readonly height: number
}): ReactElement {
  const { name, width, height } = props
  const lines = halvesOf(name)
  const longest = Math.max(...lines.map((line) => line.length))
  const most = Math.min((width - 12) / (longest * 0.62), (height - 8) / (lines.length * 1.2))
  return (
    <text
      x={width / 2}
      y={height / 2}
      textAnchor="middle"
      dominantBaseline="central"
      style={{ fontSize: `min(var(--map-name), ${most.toFixed(1)}px)` }}
      className="fill-ink font-mono font-strong"
    >
      {lines.map((line, index) => (
        <tspan key={line} x={width / 2} dy={`${index === 0 ? -0.55 * (lines.length - 1) : 1.1}em`}>
          {line}
        </tspan>
      ))}
    </text>
  )
}
