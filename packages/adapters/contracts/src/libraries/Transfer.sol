// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Sends money with bounded gas, and returns whether it arrived instead of failing.
/// @dev Copies at most one word of return data, so that a recipient cannot make the caller pay for much of it.
library Transfer {
    /// @notice Sends native coins.
    function sendNative(address to, uint256 amount, uint256 gasAllowance) internal returns (bool sent) {
        assembly ("memory-safe") {
            sent := call(gasAllowance, to, amount, 0, 0, 0, 0)
        }
    }

    /// @notice Sends an ERC-20 token, which returns true or nothing.
    function sendToken(address token, address to, uint256 amount, uint256 gasAllowance) internal returns (bool sent) {
        bytes memory data = abi.encodeCall(IERC20.transfer, (to, amount));
        assembly ("memory-safe") {
            mstore(0, 0)
            sent := call(gasAllowance, token, 0, add(data, 32), mload(data), 0, 32)
            if sent { sent := or(iszero(returndatasize()), and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
    }
}
