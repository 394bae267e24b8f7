// Reads `text/event-stream` as it arrives in pieces (HTML standard, "Server-sent events"): only `id` and `data`. Pure.

export interface EventFrame {
  readonly id: string | undefined
  readonly data: string
}

/** Takes pieces of text, gives the frames that are complete by then. */
export function createFrameReader(): (piece: string) => EventFrame[] {
  let rest = ''
  return (piece) => {
    rest += piece
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => frameOf(block) ?? [])
  }
}

function frameOf(block: string): EventFrame | undefined {
  let id: string | undefined
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    if (name === 'id') id = value
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') }
}
