// Places a cell's editor within its grid. The editor grows to the left or upwards where the grid ends, and stays in view when
// the grid becomes narrower.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** @param content changes when the editor may have become larger @returns the editor's ref, and the classes of its position */
export function useRoomAround(
  content: string | undefined,
): readonly [RefObject<HTMLDivElement | null>, string] {
  const box = useRef<HTMLDivElement>(null)
  const [grows, setGrows] = useState({ left: false, up: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content has another size
  useLayoutEffect(() => {
    const editor = box.current
    const grid = editor?.closest('[role=grid]')
    if (editor == null || grid == null) return
    const place = () => {
      const [own, around] = [editor.getBoundingClientRect(), grid.getBoundingClientRect()]
      setGrows((before) => ({
        left: before.left || own.right > around.right,
        // Only an editor in the lower half of the grid has enough room to grow upwards.
        up: before.up || (own.bottom > around.bottom && own.top > around.top + around.height / 2),
      }))
    }
    place()
    const sizes = new ResizeObserver(() =>
      editor.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
    sizes.observe(grid)
    return () => sizes.disconnect()
  }, [content])
  return [box, `${grows.left ? 'right-0' : 'left-0'} ${grows.up ? 'bottom-0' : 'top-0'}`]
}
