// A first-in first-out queue in a power-of-two array. It allocates only when it grows beyond every size it had
// before, so a running machine soon stops allocating; std::deque allocates a block every few pushes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep::timing {

template <typename T>
class RingBuffer {
 public:
  explicit RingBuffer(size_t capacity = 4) {
    size_t size = 1;
    while (size < capacity) size *= 2;
    items_.resize(size);
  }

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }

  /// `k` = 0 is the oldest.
  const T& operator[](size_t k) const { return items_[(first_ + k) & (items_.size() - 1)]; }
  T& operator[](size_t k) { return items_[(first_ + k) & (items_.size() - 1)]; }
  const T& front() const { return items_[first_]; }

  void push_back(const T& item) {
    if (count_ == items_.size()) grow();
    items_[(first_ + count_) & (items_.size() - 1)] = item;
    ++count_;
  }

  void pop_front() {
    first_ = (first_ + 1) & (items_.size() - 1);
    --count_;
  }

 private:
  void grow() {
    std::vector<T> larger(items_.size() * 2);
    for (size_t k = 0; k < count_; ++k) larger[k] = (*this)[k];
    items_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> items_;
  size_t first_ = 0;
  size_t count_ = 0;
};

}  // namespace lockstep::timing
