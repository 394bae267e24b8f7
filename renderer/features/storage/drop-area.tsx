// The area on which the user drops files and folders to upload them.
import { Upload } from 'lucide-react'
import { type DragEvent, type ReactElement, type ReactNode, useState } from 'react'

export interface DroppedFile {
  /** The file's path within the dropped items, including folder names. */
  readonly path: string
  readonly file: File
}

export function DropArea(props: {
  /** The text that shows during a drag: "Drop to upload to photos/". */
  readonly label: string
  readonly onDrop: (files: readonly DroppedFile[]) => void
  readonly children: ReactNode
}): ReactElement {
  const { label, onDrop, children } = props
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    <section
      aria-label={label}
      data-testid="drop-area"
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        void filesOf(event.dataTransfer).then(onDrop)
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center gap-2 rounded-3 border-2 border-dashed border-accent bg-accent/10 text-accent">
          <Upload className="size-4" />
          {label}
        </div>
      )}
    </section>
  )
}

// This function reads both lists before its first await, because the browser allows reading dropped files only during
// the event.
async function filesOf(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  const plain = [...transfer.files]
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  if (!entries.some((entry) => entry?.isDirectory))
    return plain.map((file) => ({ path: file.name, file }))
  const found = await Promise.all(entries.map((entry) => (entry === null ? [] : below(entry, ''))))
  return found.flat()
}

async function below(entry: FileSystemEntry, folder: string): Promise<readonly DroppedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path: folder + entry.name, file }]
  }
  if (!isDirectory(entry)) return []
  const reader = entry.createReader()
  const found: DroppedFile[] = []
  // The browser returns a folder's entries in batches of a hundred.
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries((list) => resolve(list), reject),
    )
    if (some.length === 0) return found
    for (const one of some) found.push(...(await below(one, `${folder}${entry.name}/`)))
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
