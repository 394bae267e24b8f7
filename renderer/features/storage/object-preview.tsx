// Previews an object as an image, as the beginning of a text, or with its type and size. Scripts inside the object
// never run.
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useEffect, useState } from 'react'
import { type ObjectInfo, type ObjectPlace, useObjectBytes } from '../../api/storage.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatBytes } from '../../ui/format.ts'
import { Loading } from '../../ui/loading.tsx'
import { ReadRefused } from './refusal.tsx'

const IMAGE_BYTES = 10 * 1024 * 1024
const TEXT_BYTES = 2 * 1024 * 1024
const SHOWN_CHARACTERS = 20_000

type PreviewKind = 'image' | 'text' | 'none'

export function ObjectPreview(props: {
  readonly place: ObjectPlace
  readonly info: ObjectInfo
}): ReactElement {
  const { place, info } = props
  const kind = kindOf(info)
  const bytes = useObjectBytes(place, info.version, kind !== 'none')
  if (kind === 'none')
    return (
      <p className="rounded-2 border bg-surface-0 p-4 text-center text-ink-dim">
        No preview of {info.content_type}, {formatBytes(info.size)}.
      </p>
    )
  if (bytes.isError) return <ReadRefused place={place} error={bytes.error} />
  if (bytes.data === undefined) return <Loading label="Loading the preview" lines={4} />
  return kind === 'image' ? (
    <ImagePreview blob={bytes.data} name={place.key} />
  ) : (
    <TextPreview blob={bytes.data} version={info.version} />
  )
}

function ImagePreview(props: {
  readonly blob: Blob
  readonly name: string
}): ReactElement | undefined {
  const { blob, name } = props
  const url = usePictureUrl(blob)
  if (url === undefined) return undefined
  return (
    <div className="flex justify-center rounded-2 border bg-surface-0 p-2">
      <img src={url} alt={`Preview of ${name}`} className="max-h-72 max-w-full object-contain" />
    </div>
  )
}

function TextPreview(props: { readonly blob: Blob; readonly version: string }): ReactElement {
  const { blob, version } = props
  const text = useQuery({
    queryKey: ['storage-text', version],
    gcTime: 0,
    queryFn: () => blob.slice(0, SHOWN_CHARACTERS * 4).text(),
  }).data
  if (text === undefined) return <Loading label="Loading the object" lines={3} />
  if (text === '') return <EmptyState title="This object is empty" />
  return (
    <pre
      role="group"
      aria-label="Preview"
      className="max-h-72 overflow-auto rounded-2 border bg-surface-0 p-3 break-words whitespace-pre-wrap"
    >
      {text.slice(0, SHOWN_CHARACTERS)}
      {text.length > SHOWN_CHARACTERS ? '…' : ''}
    </pre>
  )
}

function kindOf({ content_type: type, size }: ObjectInfo): PreviewKind {
  if (/^image\//.test(type)) return size <= IMAGE_BYTES ? 'image' : 'none'
  if (/^text\/|json|xml|javascript|yaml|csv|sql/.test(type))
    return size <= TEXT_BYTES ? 'text' : 'none'
  return 'none'
}

/** Image types that cannot contain scripts. */
const RASTER_TYPES = /^image\/(png|jpe?g|gif|webp|avif|bmp|x-icon)\b/

/** Returns a URL for a picture's bytes. The URL is revoked when the page no longer shows the picture. */
export function usePictureUrl(bytes: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (bytes === undefined) return
    // SVG images use a data URL, because it has an origin of its own. A blob URL has this page's origin, and an SVG opened from
    // it in a new tab would run its scripts there.
    return RASTER_TYPES.test(bytes.type) ? showBlob(bytes, setUrl) : showData(bytes, setUrl)
  }, [bytes])
  return url
}

type SetUrl = (url: string | undefined) => void

function showBlob(bytes: Blob, setUrl: SetUrl): () => void {
  const made = URL.createObjectURL(bytes)
  setUrl(made)
  return () => {
    setUrl(undefined)
    URL.revokeObjectURL(made)
  }
}

function showData(bytes: Blob, setUrl: SetUrl): () => void {
  const reader = new FileReader()
  reader.onload = () => setUrl(String(reader.result))
  reader.readAsDataURL(bytes)
  return () => {
    reader.abort()
    setUrl(undefined)
  }
}
