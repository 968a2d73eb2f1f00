// Result<T>: a value or the diagnostics that say why there is none.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "hw/base/check.h"
#include "hw/base/diag.h"

namespace lockstep {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}                // NOLINT: implicit by design
  Result(Diag diag) : state_(std::in_place_index<1>, std::vector<Diag>{std::move(diag)}) {}  // NOLINT
  Result(std::vector<Diag> diags) : state_(std::in_place_index<1>, std::move(diags)) {       // NOLINT
    CHECK(!std::get<1>(state_).empty()) << "a failed Result needs a diagnostic";
  }

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { CHECK(ok()) << first_message(); return std::get<0>(state_); }
  const T& value() const& { CHECK(ok()) << first_message(); return std::get<0>(state_); }
  T&& value() && { CHECK(ok()) << first_message(); return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The diagnostics of a failure; empty when ok().
  const std::vector<Diag>& diags() const {
    static const std::vector<Diag> kNone;
    return ok() ? kNone : std::get<1>(state_);
  }

 private:
  std::string first_message() const { return ok() ? std::string() : std::get<1>(state_).front().message; }

  std::variant<T, std::vector<Diag>> state_;
};

}  // namespace lockstep
