// A small picture of the whole map with the visible part. A click or a drag moves the visible part.
import { type PointerEvent, type ReactElement, type RefObject, useEffect, useState } from 'react'
import type { MapLayout } from './map-layout.ts'
import type { SchemaMap } from './map-model.ts'

/** Size of the picture in px, at most. */
const MOST = { width: 180, height: 120 }

interface Part {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Shows nothing while the whole map is visible. Screen readers skip this picture, because the keyboard moves the map without it.
 */
export function MiniMap(props: {
  readonly map: SchemaMap
  readonly layout: MapLayout
  readonly zoom: number
  readonly scroller: RefObject<HTMLDivElement | null>
}): ReactElement | undefined {
  const { map, layout, zoom, scroller } = props
  const part = useVisiblePart(scroller, zoom)
  if (part === undefined) return undefined
  const isWhole = part.width >= layout.width && part.height >= layout.height
  if (isWhole) return undefined
  const scale = Math.min(MOST.width / layout.width, MOST.height / layout.height)
  const move = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const x = (event.clientX - left) / scale
    const y = (event.clientY - top) / scale
    scroller.current?.scrollTo({
      left: (x - part.width / 2) * zoom,
      top: (y - part.height / 2) * zoom,
    })
  }
  return (
    <svg
      aria-hidden="true"
      data-testid="mini-map"
      width={layout.width * scale}
      height={layout.height * scale}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      className="absolute right-4 bottom-4 z-10 cursor-pointer touch-none rounded-2 border border-line-strong bg-surface-1"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        move(event)
      }}
      onPointerMove={(event) => event.buttons !== 0 && move(event)}
    >
      {map.boxes.map(({ height, table: { name }, width }) => {
        const place = layout.places.get(name)
        return (
          place && (
            <rect key={name} {...place} width={width} height={height} className="fill-ink-dim/50" />
          )
        )
      })}
      <rect
        x={part.left}
        y={part.top}
        width={Math.min(part.width, layout.width)}
        height={Math.min(part.height, layout.height)}
        strokeWidth={2 / scale}
        className="fill-accent/10 stroke-accent"
      />
    </svg>
  )
}

/** Returns the visible part of the drawing, in units of the drawing. */
function useVisiblePart(
  scroller: RefObject<HTMLDivElement | null>,
  zoom: number,
): Part | undefined {
  const [part, setPart] = useState<Part>()
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const read = (): void =>
      setPart({
        left: element.scrollLeft / zoom,
        top: element.scrollTop / zoom,
        width: element.clientWidth / zoom,
        height: element.clientHeight / zoom,
      })
    read()
    element.addEventListener('scroll', read, { passive: true })
    const sizes = new ResizeObserver(read)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      sizes.disconnect()
    }
  }, [scroller, zoom])
  return part
}
