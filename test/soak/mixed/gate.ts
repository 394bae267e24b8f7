// Lets operations through while the product is up, and none while it is killed, compared or put into another state.

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

  /** Lets nothing more in. */
  shut(): void {
    this.#isOpen = false
  }

  /** Resolves when everything that was let in has ended. */
  async empty(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve))
  }

  open(): void {
    this.#isOpen = true
    for (const resolve of this.#onOpen.splice(0)) resolve()
  }
}
