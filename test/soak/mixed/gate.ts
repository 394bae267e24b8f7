// Lets operations run while the product runs. Blocks them while the product is killed, compared or restored.

export class Gate {
  #isOpen = true
  #inside = 0
  #onOpen: (() => void)[] = []
  #onEmpty: (() => void)[] = []

  /** Runs `work` once the gate is open. */
  async through(work: () => Promise<void>): Promise<void> {
    while (!this.#isOpen) await new Promise<void>((resolve) => this.#onOpen.push(resolve))
    this.#inside += 1
    try {
      await work()
    } finally {
      this.#inside -= 1
      if (this.#inside === 0) for (const resolve of this.#onEmpty.splice(0)) resolve()
    }
  }

  /** Blocks further operations. */
  shut(): void {
    this.#isOpen = false
  }

  /** Resolves when all running operations have ended. */
  async empty(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve))
  }

  open(): void {
    this.#isOpen = true
    for (const resolve of this.#onOpen.splice(0)) resolve()
  }
}
