// The map in its scrolling container, with toolbar, search, keys and exports.
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { saveFile } from '../../parts/save-file.ts'
import type { MenuAction } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { MapDrawing } from './map-drawing.tsx'
import type { Point } from './map-layout.ts'
import type { MapBox, SchemaMap, ShownColumns } from './map-model.ts'
import { MapToolbar, STEP } from './map-toolbar.tsx'
import { mermaidText } from './mermaid.ts'
import { MiniMap } from './mini-map.tsx'
import { isArrow, neighbourOf } from './neighbours.ts'
import type { DrawnReads } from './read-looks.ts'
import { svgText } from './save-drawing.ts'
import type { LaidOutMap } from './use-layout.ts'
import { useViewport, type Viewport } from './use-viewport.ts'

/** Below this zoom, the lines of a box are too small to read. */
const FAR = 0.55

export interface MapViewProps {
  readonly tenant: string
  readonly laidOut: LaidOutMap
  readonly readable: ReadonlyMap<string, DrawnReads>
  readonly columns: ShownColumns
  readonly onColumns: (columns: ShownColumns) => void
  readonly open: string | undefined
  readonly onOpen: (table: string) => void
}

export function MapView(props: MapViewProps): ReactElement {
  const { tenant, laidOut, readable, columns, open, onOpen } = props
  const { map, layout } = laidOut
  const drawing = useRef<SVGSVGElement>(null)
  const viewport = useViewport(layout)
  const [search, setSearch] = useState('')
  const [focused, setFocused] = useState<string>()
  const { isSaving, withDetails } = useDetails(drawing)
  const found = useMemo(() => findTables(map, search), [map, search])
  const show = (name: string) => {
    const box = placeOf(laidOut, name)
    if (box !== undefined) viewport.reveal(box)
  }
  const focusOn = (name: string | undefined) => {
    if (name === undefined) return
    show(name)
    drawing.current
      ?.querySelector<SVGElement>(`[data-table="${CSS.escape(name)}"] [role=button]`)
      ?.focus({ preventScroll: true })
  }
  const actions = useLatest({ open: onOpen, focus: setFocused })
  const current =
    [focused, open].find((name) => name !== undefined && layout.places.has(name)) ??
    map.boxes[0]?.table.name
  return (
    <>
      <MapToolbar
        search={search}
        onSearch={setSearch}
        onFind={() => {
          const [first] = found ?? []
          if (first === undefined) return
          onOpen(first)
          focusOn(first)
        }}
        columns={columns}
        onColumns={props.onColumns}
        zoom={viewport.zoom}
        onZoom={viewport.zoomBy}
        onFit={viewport.showWhole}
        exports={exportsOf(tenant, map, withDetails)}
      />
      <div className="relative flex min-h-0 flex-1">
        <div
          ref={viewport.scroller}
          onPointerDown={viewport.onPointerDown}
          className="flex min-h-0 min-w-0 flex-1 overflow-auto overscroll-contain bg-surface-0"
        >
          {/* The map is drawn only when its zoom is known, so that it is drawn once. */}
          {viewport.isMeasured && (
            <MapDrawing
              ref={drawing}
              label={`Schema map of ${tenant}`}
              map={map}
              layout={layout}
              readable={readable}
              found={found}
              open={open}
              current={current}
              zoom={viewport.zoom}
              isFar={viewport.zoom < FAR && !isSaving}
              actions={actions}
              onKeyDown={(event) =>
                onKey(event, viewport, (arrow) =>
                  focusOn(neighbourOf(current ?? '', arrow, map.boxes, layout)),
                )
              }
            />
          )}
        </div>
        <MiniMap map={map} layout={layout} zoom={viewport.zoom} scroller={viewport.scroller} />
      </div>
    </>
  )
}

function placeOf({ map, layout }: LaidOutMap, name: string): (MapBox & Point) | undefined {
  const box = map.boxes.find(({ table }) => table.name === name)
  const place = layout.places.get(name)
  return box && place && { ...box, ...place }
}

type Save = (drawing: SVGSVGElement) => void

/** Shows all details of the boxes while the drawing is saved, also when the zoom is small. */
function useDetails(drawing: RefObject<SVGSVGElement | null>): {
  readonly isSaving: boolean
  readonly withDetails: (save: Save) => void
} {
  const [isSaving, setSaving] = useState(false)
  return {
    isSaving,
    withDetails: (save) => {
      flushSync(() => setSaving(true))
      if (drawing.current !== null) save(drawing.current)
      setSaving(false)
    },
  }
}

function onKey(
  event: KeyboardEvent,
  { zoomBy, showWhole }: Viewport,
  move: (arrow: Parameters<typeof neighbourOf>[1]) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (isArrow(event.key)) move(event.key)
  else if (event.key === '+' || event.key === '=') zoomBy(STEP)
  else if (event.key === '-') zoomBy(1 / STEP)
  else if (event.key === '0') showWhole()
  else return
  event.preventDefault()
}

/** Returns the tables whose name matches, then the tables with a matching column; `undefined` for an empty search. */
function findTables({ boxes }: SchemaMap, search: string): ReadonlySet<string> | undefined {
  const text = search.trim().toLowerCase()
  if (text === '') return undefined
  const named = ({ table }: MapBox) => table.name.toLowerCase().includes(text)
  const contains = ({ table }: MapBox) =>
    table.columns.some(({ name }) => name.toLowerCase().includes(text))
  const names = [...boxes.filter(named), ...boxes.filter(contains)].map(({ table }) => table.name)
  return new Set(names)
}

function exportsOf(
  tenant: string,
  map: SchemaMap,
  withDetails: (save: Save) => void,
): readonly MenuAction[] {
  return [
    {
      label: 'Save as SVG',
      onSelect: () =>
        withDetails((element) =>
          saveFile(`${tenant}.svg`, new Blob([svgText(element)], { type: 'image/svg+xml' })),
        ),
    },
    {
      label: 'Save as Mermaid',
      onSelect: () =>
        saveFile(`${tenant}.mmd`, new Blob([mermaidText(map)], { type: 'text/plain' })),
    },
    {
      label: 'Copy as Mermaid',
      onSelect: () => {
        void navigator.clipboard
          .writeText(mermaidText(map))
          .then(() => showToast({ title: 'Copied as Mermaid', tone: 'allowed' }))
      },
    },
  ]
}
