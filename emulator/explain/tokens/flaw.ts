// Why a credential is refused: which link of the chain from credential to row is the first that breaks, and a sentence.

export interface Flaw {
  readonly at: 'credential' | 'project' | 'claims'
  readonly sentence: string
}

export function flawed(at: Flaw['at'], sentence: string): Flaw {
  return { at, sentence }
}
