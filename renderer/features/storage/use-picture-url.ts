// An address under which the page shows a picture's bytes; revoked when the page no longer shows them.
import { useEffect, useState } from 'react'

/** Pictures that contain no scripts. */
const RASTER_TYPES = /^image\/(png|jpe?g|gif|webp|avif|bmp|x-icon)\b/

export function usePictureUrl(bytes: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (bytes === undefined) return
    // A blob URL has this page's origin, and a drawing opened in a tab of its own would run its scripts there. A data URL
    // has an origin of its own.
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
