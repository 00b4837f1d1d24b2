export type Disposable = { dispose(): void };

/** Owns what must end together; disposes in reverse order, and a late arrival at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.items.splice(0).reverse()) item.dispose();
  }
}

/** What ends together with all that it owns. */
export class DisposableOwner implements Disposable {
  protected readonly disposables = new DisposableStore();

  dispose(): void {
    this.disposables.dispose();
  }
}
