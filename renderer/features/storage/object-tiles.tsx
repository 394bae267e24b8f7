// Shows a folder's entries as tiles, with thumbnails for images.
import type { ReactElement } from 'react'
import type { ObjectPlace } from '../../api/storage.ts'
import { useObjectBytes } from '../../api/storage.ts'
import { cx } from '../../ui/cx.ts'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import type { ShownEntry } from './entries.ts'
import { EntryIcon } from './object-columns.tsx'
import { usePictureUrl } from './object-preview.tsx'

/** Largest image with a thumbnail. Larger images show an icon. */
const THUMBNAIL_BYTES = 2 * 1024 * 1024
const SHOWN = 200

export function ObjectTiles(props: {
  readonly entries: readonly ShownEntry[]
  readonly selected: string | undefined
  readonly placeOf: (entry: ShownEntry) => ObjectPlace
  readonly onOpen: (entry: ShownEntry) => void
}): ReactElement {
  const { entries, selected, placeOf, onOpen } = props
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <ul
        aria-label="Objects"
        className="grid grid-cols-[repeat(auto-fill,minmax(144px,1fr))] gap-3"
      >
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.key}>
            <button
              type="button"
              onClick={() => onOpen(entry)}
              className={cx(
                'flex w-full flex-col overflow-hidden rounded-2 border text-left hover:border-line-strong',
                selected === entry.key && 'border-accent',
                entry.isHidden && 'hidden-row',
              )}
            >
              <span className="flex h-24 items-center justify-center overflow-hidden bg-surface-1">
                <Face entry={entry} place={placeOf(entry)} />
              </span>
              <span className="w-full border-t px-2 py-1">
                <MiddleTruncate text={entry.name} isMono />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {entries.length > SHOWN && (
        <p className="pt-4 text-ink-dim">
          Shows the first {SHOWN} objects. Switch to the list to see all.
        </p>
      )}
    </div>
  )
}

function Face(props: { readonly entry: ShownEntry; readonly place: ObjectPlace }): ReactElement {
  const { entry, place } = props
  const isImage =
    !entry.isHidden && /^image\//.test(entry.mimeType ?? '') && (entry.size ?? 0) <= THUMBNAIL_BYTES
  const bytes = useObjectBytes(place, entry.version, isImage)
  const url = usePictureUrl(bytes.data)
  return url === undefined ? (
    <span className="[&_svg]:size-6">
      <EntryIcon entry={entry} />
    </span>
  ) : (
    <img src={url} alt="" className="size-full object-contain" />
  )
}
