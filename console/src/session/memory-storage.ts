import type { KeyValueStorageInterface } from '@aws-amplify/core';

/** Where Amplify keeps tokens: out of reach of other pages, other tabs and the disk. */
export class MemoryStorage implements KeyValueStorageInterface {
  private readonly items = new Map<string, string>();

  async setItem(key: string, value: string): Promise<void> {
    this.items.set(key, value);
  }

  async getItem(key: string): Promise<string | null> {
    return this.items.get(key) ?? null;
  }

  async removeItem(key: string): Promise<void> {
    this.items.delete(key);
  }

  async clear(): Promise<void> {
    this.items.clear();
  }
}
