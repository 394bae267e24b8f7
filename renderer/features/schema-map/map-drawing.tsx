// The schema map as one SVG: the lines of keys, and the boxes of tables above them.
import type { KeyboardEvent, ReactElement, Ref } from 'react'
import { KeyLine } from './key-line.tsx'
import type { MapLayout } from './map-layout.ts'
import type { SchemaMap } from './map-model.ts'
import { type DrawnReads, REFUSED_PATTERN } from './read-looks.ts'
import { type BoxActions, TableBox } from './table-box.tsx'

export interface MapDrawingProps {
  readonly label: string
  readonly map: SchemaMap
  readonly layout: MapLayout
  readonly readable: ReadonlyMap<string, DrawnReads>
  /** Tables that match the search, or `undefined` when the user searches nothing. */
  readonly found: ReadonlySet<string> | undefined
  readonly open: string | undefined
  readonly current: string | undefined
  readonly zoom: number
  /** Whether boxes show only the table's name, because the zoom is small. */
  readonly isFar: boolean
  readonly actions: BoxActions
  readonly onKeyDown: (event: KeyboardEvent<SVGSVGElement>) => void
  readonly ref?: Ref<SVGSVGElement>
}

/** Size in px of a table's name on the screen when the zoom is small. */
const NAME = 11

export function MapDrawing(props: MapDrawingProps): ReactElement {
  const { label, map, layout, readable, found, open, current, zoom, isFar, actions } = props
  const isDimmed = (table: string) => found !== undefined && !found.has(table)
  return (
    <svg
      ref={props.ref}
      role="group"
      aria-label={label}
      width={layout.width * zoom}
      height={layout.height * zoom}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      style={{ ['--map-name' as string]: `${Math.round(NAME / zoom)}px` }}
      className="m-auto block shrink-0 select-none"
      onKeyDown={props.onKeyDown}
    >
      <RefusedPattern />
      {map.keys.map((key) => (
        <KeyLine
          key={key.id}
          mapKey={key}
          points={layout.lines.get(key.id) ?? []}
          isMarked={open !== undefined && (key.child === open || key.parent === open)}
          isDimmed={isDimmed(key.child) && isDimmed(key.parent)}
        />
      ))}
      {map.boxes.map((box) => {
        const { name } = box.table
        const place = layout.places.get(name)
        return (
          place && (
            <TableBox
              key={name}
              box={box}
              place={place}
              readable={readable.get(name)}
              isOpen={open === name}
              isDimmed={isDimmed(name)}
              isCurrent={current === name}
              isFar={isFar}
              actions={actions}
            />
          )
        )
      })}
    </svg>
  )
}

/** Fills the head of a table that the identity may not read. */
function RefusedPattern(): ReactElement {
  return (
    <defs>
      <pattern
        id={REFUSED_PATTERN}
        width="8"
        height="8"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="8" height="8" className="fill-surface-1" />
        <rect width="4" height="8" className="fill-ink-dim/20" />
      </pattern>
    </defs>
  )
}
